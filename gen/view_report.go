package gen

import (
	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
)

// reportView is what the templates see of the report at the end.
type reportView struct {
	Watched                    []bash.Word
	ReportDepth, ReportSeconds bash.Word
}

func (w *viewer) report(p plan.Plan) reportView {
	return reportView{
		Watched:       w.quoted(p.Project.Watched),
		ReportDepth:   w.number(plan.ReportDepth),
		ReportSeconds: w.number(plan.ReportSeconds),
	}
}
