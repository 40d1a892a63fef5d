package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// todo is a task of the model's list.
type todo struct {
	id, subject, description, status string
	owner, form                      string // form says that it is being done
	blockedBy                        []any
}

func (s *Set) createTask(_ context.Context, in object.Object) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &todo{id: strconv.Itoa(len(s.todo) + 1), subject: in.Text("subject"), description: in.Text("description"), status: "pending", form: in.Text("activeForm"), blockedBy: []any{}}
	s.todo = append(s.todo, t)
	return Result{
		Content: fmt.Sprintf("Task #%s created successfully: %s", t.id, t.subject),
		Use:     object.Of("task", object.Of("id", t.id, "subject", t.subject, "description", in.Text("description"))),
	}
}

// Todos is the list of tasks that are not done.
func (s *Set) Todos() (list []any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.todo {
		if t.id != "" && t.status != "completed" {
			list = append(list, object.Of("id", t.id, "subject", t.subject, "description", t.description, "activeForm", object.If(t.form != "", t.form),
				"owner", object.If(t.owner != "", t.owner), "status", t.status, "blocks", []any{}, "blockedBy", t.blockedBy))
		}
	}
	return list
}

// Todo returns what a task of the list is about. It reports false if there is none.
func (s *Set) Todo(id string) (subject, description string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.todo {
		if t.id == id {
			return t.subject, t.description, true
		}
	}
	return "", "", false
}

func (s *Set) updateTask(_ context.Context, in object.Object) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := in.Text("taskId")
	i := slices.IndexFunc(s.todo, func(t *todo) bool { return t.id == id })
	if i < 0 {
		return Result{Content: "Task not found", Use: object.Of("success", false, "taskId", id, "updatedFields", []any{}, "error", "Task not found")}
	}
	t := s.todo[i]
	fields := []any{}
	change := object.Absent
	for _, m := range in {
		text, _ := m.Value.(string)
		switch m.Name {
		case "subject":
			t.subject = text
		case "owner":
			t.owner = text
		case "status":
			change = object.Of("from", t.status, "to", text)
			t.status = text
		case "addBlockedBy":
			list, _ := m.Value.([]any)
			t.blockedBy = append(t.blockedBy, list...)
		case "taskId":
			continue
		}
		fields = append(fields, m.Name)
	}
	if t.status == "deleted" {
		s.todo = slices.Delete(s.todo, i, i+1)
	}
	return Result{
		Content: fmt.Sprintf("Updated task #%s %s", id, strings.ReplaceAll(join(fields), "\n", ", ")),
		Use:     object.Of("success", true, "taskId", id, "updatedFields", fields, "statusChange", change),
	}
}

func (s *Set) listTasks(context.Context, object.Object) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	tasks, lines := []any{}, []string{}
	for _, t := range s.todo {
		task := object.Of("id", t.id, "subject", t.subject, "status", t.status, "owner", object.If(t.owner != "", t.owner), "blockedBy", t.blockedBy)
		tasks = append(tasks, task)
		lines = append(lines, fmt.Sprintf("#%s [%s] %s", t.id, t.status, t.subject))
	}
	text := strings.Join(lines, "\n")
	if text == "" {
		text = "No tasks found"
	}
	return Result{Content: text, Use: object.Of("tasks", tasks)}
}

func (s *Set) writeTodos(_ context.Context, in object.Object) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := []any{}
	for _, t := range s.todo {
		before = append(before, object.Of("content", t.subject, "status", t.status, "activeForm", t.form))
	}
	s.todo = nil
	for _, v := range in.List("todos") {
		o, _ := v.(object.Object)
		s.todo = append(s.todo, &todo{subject: o.Text("content"), status: o.Text("status"), form: o.Text("activeForm"), blockedBy: []any{}})
	}
	return Result{Content: "Todos have been modified successfully.", Use: object.Of("oldTodos", before, "newTodos", in.List("todos"))}
}

func (s *Set) question(_ context.Context, in object.Object) Result {
	answers := in.Object("answers")
	if answers == nil {
		answers = object.Object{}
	}
	r := Result{Content: "The user did not answer the questions.", Use: object.Of("questions", in.List("questions"), "answers", answers,
		"annotations", object.If(in.Has("annotations"), in.Get("annotations"))), layout: idLast}
	if len(answers) > 0 {
		var list []string
		for _, a := range answers {
			text, _ := a.Value.(string)
			list = append(list, fmt.Sprintf("%q=%q", a.Name, text))
		}
		r.Content = fmt.Sprintf("Your questions have been answered: %s. You can now continue with these answers in mind.", strings.Join(list, ", "))
	}
	return r
}
