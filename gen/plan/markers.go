package plan

import (
	"slices"

	"bwrapgen/gen/catalogue"
)

// commonMarkers are files by which a project shows which tool it needs, and that tool in the
// catalogue.
var commonMarkers = []struct{ file, tool string }{
	{"package.json", "node"}, {"go.mod", "go"}, {"Cargo.toml", "cargo"}, {"pyproject.toml", "python"}, {"pom.xml", "maven"},
	{"build.gradle", "gradle"}, {"Gemfile", "ruby"}, {"composer.json", "php"}, {"mix.exs", "beam"}, {"*.csproj", "dotnet"},
}

// unknownMarkers are those of tools that a launcher knows nothing about, each as FILE/TOOL. A launcher
// that follows the project's files reports them at start-up, since it may be used in another project
// than it was generated for. What the project had at generation is reported then.
func (b *builder) unknownMarkers(used []catalogue.Tool) []string {
	if !ofProject(b.profile.Toolchains.Use) {
		return nil
	}
	var all []string
	for _, m := range commonMarkers {
		isUsed := slices.ContainsFunc(used, func(t catalogue.Tool) bool { return t.Name == m.tool })
		if !isUsed && !slices.Contains(b.catalogue.Marked(b.facts.Markers), m.tool) {
			all = append(all, m.file+"/"+m.tool)
		}
	}
	return all
}
