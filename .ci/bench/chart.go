package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// The chart, in pixels.
const (
	chartWidth = 760
	labelWidth = 250
	barWidth   = chartWidth - labelWidth - 70
	lineHeight = 24
	chartTop   = 30
)

// style has colours for light and for dark pages, and no font of its own.
const style = `<style>
text { font: 13px sans-serif; fill: #24292f }
.raw { fill: #8c959f } .launcher { fill: #0969da } .peer { fill: #bf8700 } .grid { stroke: #8c959f; stroke-opacity: .35 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .launcher { fill: #58a6ff } .peer { fill: #d29922 } }
</style>
`

// chart draws the starts as bars. It depends on nothing but the table.
func (p page) chart() []byte {
	rows := p[0].rows
	whole := extent(rows)
	step := tick(whole)
	scale := barWidth / (math.Ceil(whole/step) * step)
	bottom := chartTop + lineHeight*len(rows)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="title">`+"\n", chartWidth, bottom+46)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n%s", html.EscapeString(p[0].title), style)
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"18\" font-weight=\"bold\">%s</text>\n", labelWidth, html.EscapeString(p[0].title))
	for at := 0.0; at*scale <= barWidth+0.5; at += step {
		x := labelWidth + at*scale
		fmt.Fprintf(&b, "<line class=\"grid\" x1=\"%.0f\" y1=\"%d\" x2=\"%.0f\" y2=\"%d\"/>", x, chartTop, x, bottom)
		fmt.Fprintf(&b, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x, bottom+18, at)
	}
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">milliseconds from start to end, median</text>\n", labelWidth+barWidth/2, bottom+38)
	for i, r := range rows {
		r.draw(&b, chartTop+lineHeight*i, scale)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// extent is what the axis has to hold: the longest bar, unless it is so long that
// the launchers could not be told apart. Then the bar is cut.
func extent(rows []row) float64 {
	longest, launchers := 0.0, 0.0
	for _, r := range rows {
		longest = max(longest, r.milliseconds())
		if r.class() == "launcher" {
			launchers = max(launchers, r.milliseconds())
		}
	}
	if launchers == 0 {
		return longest
	}
	return min(longest, 4*launchers)
}

// draw draws one bar, its name before it and its value behind it.
func (r row) draw(b *bytes.Buffer, y int, scale float64) {
	width := min(r.milliseconds()*scale, barWidth)
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", labelWidth-8, y+16, html.EscapeString(r.name))
	if r.value == missing {
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">does not run here</text>\n", labelWidth+6, y+16)
		return
	}
	fmt.Fprintf(b, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\"/>", r.class(), labelWidth, y+4, width)
	value := strings.TrimSuffix(r.value, " ms")
	if r.milliseconds()*scale > barWidth {
		value = "» " + value
	}
	fmt.Fprintf(b, "<text x=\"%.0f\" y=\"%d\">%s</text>\n", labelWidth+width+6, y+16, value)
}

// class is the colour of a bar.
func (r row) class() string {
	switch {
	case strings.HasSuffix(r.name, launcherEnd):
		return "launcher"
	case strings.HasSuffix(r.name, rawEnd) || r.name == bashAlone:
		return "raw"
	}
	return "peer"
}

// tick is a round distance of about a sixth of the whole.
func tick(whole float64) float64 {
	if whole <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(whole/6)))
	for _, factor := range []float64{1, 2, 5} {
		if whole/(unit*factor) <= 8 {
			return unit * factor
		}
	}
	return unit * 10
}

func (r row) milliseconds() float64 {
	value, err := strconv.ParseFloat(strings.TrimSuffix(r.value, " ms"), 64)
	if err != nil {
		return 0
	}
	return value
}
