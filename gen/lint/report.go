package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// From leaves out the findings that weigh less than a severity.
func From(all []Finding, least Severity) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return f.Severity < least })
}

// Summary counts findings in one line: 3 findings: 1 escape, 2 weak.
func Summary(all []Finding) string {
	if len(all) == 0 {
		return "no findings"
	}
	noun := "findings"
	if len(all) == 1 {
		noun = "finding"
	}
	var parts []string
	for s := Escape; s >= Style; s-- {
		if n := len(From(all, s)) - len(From(all, s+1)); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return fmt.Sprintf("%d %s: %s", len(all), noun, strings.Join(parts, ", "))
}

// levels are SARIF's names for severities.
var levels = map[Severity]string{Escape: "error", Exposure: "error", Weak: "warning", Style: "note"}

type object = map[string]any

// SARIF gives findings in the Static Analysis Results Interchange Format, version
// 2.1.0 (OASIS), which code hosts and editors read.
func SARIF(all []Finding, version string) ([]byte, error) {
	var rules, results []object
	for _, r := range Rules() {
		rules = append(rules, object{
			"id":                   r.Name,
			"shortDescription":     object{"text": r.Looks},
			"fullDescription":      object{"text": r.Why},
			"help":                 object{"text": r.Hint + ". Source: " + r.Source},
			"defaultConfiguration": object{"level": levels[r.Severity]},
			"properties":           object{"severity": r.Severity.String()},
		})
	}
	for _, f := range all {
		results = append(results, object{
			"ruleId":  f.Rule,
			"level":   levels[f.Severity],
			"message": object{"text": f.What + ". Hint: " + f.Hint},
			"locations": []object{{"physicalLocation": object{
				"artifactLocation": object{"uri": address(f.File)},
				"region":           object{"startLine": f.Line, "startColumn": f.Column},
			}}},
			"properties": object{"severity": f.Severity.String()},
		})
	}
	if results == nil {
		results = []object{}
	}
	driver := object{"name": "bwrapgen lint", "version": version, "rules": rules}
	log := object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs":    []object{{"tool": object{"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(log)
	return b.Bytes(), err
}

// special is a character that a URI has no other use for.
var special = regexp.MustCompile(`[^A-Za-z0-9/._~+-]`)

// address is a file's name as a URI reference.
func address(name string) string {
	return special.ReplaceAllStringFunc(name, func(c string) string {
		return strings.ReplaceAll(url.QueryEscape(c), "+", "%20") // of a blank
	})
}
