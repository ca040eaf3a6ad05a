package source

import "slices"

// Nearest is the known word that differs from text in few letters, or none.
func Nearest(text string, known []string) string {
	if len(text) > 100 {
		return ""
	}
	best, near := min(2, len(text)/2)+1, ""
	for _, k := range slices.Sorted(slices.Values(known)) {
		if d := distance(text, k); d < best {
			best, near = d, k
		}
	}
	return near
}

// distance counts the letters to change, add or leave out (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
