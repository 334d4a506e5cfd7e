package document

import (
	"fmt"

	"sixways/policy"
)

// FileRule is the rule that stands at a place of the file with a name. Because
// is a format of package fmt for args.
func FileRule(name string, at Position, text, because string, args ...any) policy.Rule {
	return policy.Rule{
		Text:    text,
		Because: fmt.Sprintf(because, args...),
		Origin:  policy.Origin{Kind: policy.OriginFile, Name: name, Line: at.Line, Column: at.Column},
	}
}

// EnforcerRule is what an enforcer always does, whatever its file says. Source
// names the place in the enforcer's own code or documentation.
func EnforcerRule(source, text, because string) policy.Rule {
	return policy.Rule{Text: text, Because: because, Origin: policy.Origin{Kind: policy.OriginEnforcer, Name: source}}
}

// Fixed adds to a rule the change that turns its verdict, a format of package fmt
// for args.
func Fixed(r policy.Rule, fix string, args ...any) policy.Rule {
	r.Fix = fmt.Sprintf(fix, args...)
	return r
}
