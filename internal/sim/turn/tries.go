package turn

import (
	"errors"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// tries is how one request to the model is made, again and again until it is answered.
type tries struct {
	stage     *Stage
	agent     *Agent
	kept      *transcript.Thread
	model     string
	fallbacks []string // the models that are asked if this one does not answer
	plain     bool     // the answer is not streamed
	count     int      // of the try that comes, from 1 on
	silent    int      // how often the API has not understood it
	overloads int      // how often in a row the API had too much to do
}

// tries returns how a request of an agent begins.
func (s *Stage) tries(a *Agent) *tries {
	t := &tries{stage: s, agent: a, kept: s.Transcript.Agent(a.ID), model: s.ModelOf(a), count: 1}
	if a == s.Main && a.Model == "" && s.Policy.Mode() == "plan" {
		switch strings.ToLower(s.Chosen.Name()) {
		case models.Planned:
			t.model = s.Chosen.Resolve("opus")
		case "haiku":
			t.model = s.Chosen.Resolve("sonnet")
		}
	}
	for _, name := range strings.Split(s.Flags.Value("fallback-model"), ",") {
		if name = strings.TrimSpace(name); name != "" && s.Chosen.Resolve(name) != t.model {
			t.fallbacks = append(t.fallbacks, s.Chosen.Resolve(name))
		}
	}
	return t
}

// next decides what is done after an error. It reports true if the model is asked again at once,
// and returns the error if it is not asked again at all.
func (t *tries) next(err error) (again bool, failed error) {
	var api *script.APIError
	if !errors.As(err, &api) {
		return false, t.left(err)
	}
	if api.Status != 529 {
		t.overloads = 0
	}
	switch {
	case t.plain:
		if api.Status == 0 {
			api.Status = 500 // there is no stream for it to be in
		}
		return false, err
	case errors.Is(err, errFinal):
		return false, err
	case api.Status == 0: // an error inside a stream
		t.plain = true
		return true, nil
	case api.Status == 404 && t.fallBack("model_not_found"):
		return true, nil
	case silentTries(api) > 0:
		n := silentTries(api)
		if n == maxSilentTries {
			n += t.agent.refused
		}
		if t.silent++; t.silent < n {
			if t.silent == 1 && t.agent.Talk.Spell() {
				const text = "Tools cannot be searched for any more. Those that are there can be used at once."
				t.agent.Talk.Tell(text)
				t.kept.Attach(transcript.Reminder(text, "critical_system_reminder", "content", text))
			}
			return true, nil
		}
		t.agent.refused = 0
		return false, err
	case api.NoRetry, t.stage.exceeded(api) != nil:
		return false, err
	case api.Status == 529:
		if t.overloads++; t.overloads == 3 {
			if t.fallBack("overloaded") {
				return true, nil
			}
			if !t.stage.Flags.Has("fallback-model") {
				return false, errors.Join(err, errOverloaded)
			}
		}
	case api.Status >= 500 && t.fallBack("server_error"):
		return true, nil
	}
	return false, t.left(err)
}

// left returns the error if no tries are left.
func (t *tries) left(err error) error {
	if t.count > t.stage.maxRetries() {
		return err
	}
	return nil
}

// fallBack goes on with the next model. It reports false if there is none.
func (t *tries) fallBack(trigger string) bool {
	if len(t.fallbacks) == 0 {
		return false
	}
	before := t.model
	t.model, t.fallbacks = t.fallbacks[0], t.fallbacks[1:]
	t.count, t.silent, t.overloads = 1, 0, 0
	why := "due to high demand for " + models.Title(before)
	if trigger == "model_not_found" {
		why = "because " + models.Title(before) + " is not available"
	}
	id, text := ids.UUID(), "Switched to "+models.Title(t.model)+" "+why
	t.stage.Out.Line(object.Of("type", "system", "subtype", "model_fallback", "uuid", id, "trigger", trigger, "original_model", before,
		"fallback_model", t.model, "content", text, "session_id", t.stage.Out.ID()))
	t.kept.Notice(id, "model_fallback", "content", text, "level", "warning", "trigger", trigger, "originalModel", before, "fallbackModel", t.model, "isMeta", false)
	return true
}
