package sessions_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport/sessions"
)

// Print what the model said in the latest session of this folder.
func Example() {
	ctx := context.Background()
	store, err := sessions.Default()
	if err != nil {
		log.Fatal(err)
	}
	list, err := store.List(ctx, &sessions.ListOptions{Dir: ".", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, info := range list {
		fmt.Println(info.Summary, info.Modified)
		session, err := store.Find(ctx, info.ID, ".")
		if err != nil {
			log.Fatal(err)
		}
		for message, err := range session.Messages(ctx, nil) {
			if err != nil {
				log.Fatal(err)
			}
			frame, err := message.Frame()
			if err != nil {
				log.Fatal(err)
			}
			if a, ok := frame.(*wire.Assistant); ok {
				for _, block := range a.Message.Content {
					if text, ok := block.(*wire.TextBlock); ok {
						fmt.Println(text.Text)
					}
				}
			}
		}
	}
}

// Go on from an earlier point of a session, in a copy of it.
func ExampleSession_Fork() {
	ctx := context.Background()
	session, err := sessions.At("/home/me/.claude").Find(ctx, "0b0e2b8c-7b58-4ab1-8a16-6f3d24ea9a4e", "")
	if err != nil {
		log.Fatal(err) // errors.Is(err, sessions.ErrNotFound) if there is none
	}
	fork, err := session.Fork(ctx, &sessions.ForkOptions{UpTo: "3c9f5f0e-52a1-4c0b-9a55-0d6f3c1be038", Title: "another way"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("claude --resume", fork.ID())
}
