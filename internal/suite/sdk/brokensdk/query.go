package brokensdk

import "time"

// query is the SDK's function for one prompt: after the result it closes the input, once every
// request from the CLI has its answer.
func (c *client) query(text string) {
	err := c.initialize()
	if err == nil {
		err = c.prompt(text)
	}
	if err != nil {
		c.finish(err)
	}
}

// begun and answered count the requests from the CLI that are not answered.
func (c *client) begun() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unanswered++
}

func (c *client) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unanswered--
	c.retireLocked()
}

// retireLocked closes the input if the function for one prompt has nothing to do any more, and ends
// a CLI that stays.
func (c *client) retireLocked() {
	if !c.once || !c.resulted || c.unanswered > 0 || c.closing {
		return
	}
	c.closing = true
	c.in.Close()
	stop := time.AfterFunc(2*time.Second, func() { _ = c.cmd.Process.Kill() })
	go func() { // ends with the process
		<-c.ended
		stop.Stop()
	}()
}
