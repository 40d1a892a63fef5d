use std::io::{self, BufRead, Read};

/// One stream of many. Each read returns a piece, or what is left of it.
pub struct Stream<'a> {
    input: &'a mut dyn BufRead,
    left: usize,
    ended: bool,
}

impl<'a> Stream<'a> {
    pub fn new(input: &'a mut dyn BufRead) -> Self {
        Stream { input, left: 0, ended: false }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.ended {
            let mut line = String::new();
            self.input.read_line(&mut line)?;
            self.left = line.trim().parse().map_err(io::Error::other)?;
            self.ended = self.left == 0;
        }
        let n = self.left.min(buf.len());
        self.input.read_exact(&mut buf[..n])?;
        self.left -= n;
        Ok(n)
    }
}
