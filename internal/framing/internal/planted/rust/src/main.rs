//! Parsers of NDJSON for the tests of package framing: correct ones, and some with a bug each, or two.
//!
//! The first argument names the parser. With --persistent after it, the program reads many streams,
//! each in pieces.

mod parsers;
mod pieces;

use std::io::{self, BufRead, BufWriter, Write};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let named = |p: &&(&str, parsers::Parser)| args.first().is_some_and(|a| a == p.0);
    let Some((_, parse)) = parsers::ALL.iter().find(named) else {
        eprintln!("usage: planted PARSER [--persistent]");
        std::process::exit(2);
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut stdin = io::stdin().lock();
    if args.len() < 2 {
        let result = parse(&mut stdin, &mut out);
        out.flush().unwrap();
        if let Err(e) = result {
            eprintln!("error: {e}");
            std::process::exit(1);
        }
        return;
    }
    while !stdin.fill_buf().unwrap().is_empty() {
        let mut stream = pieces::Stream::new(&mut stdin);
        let result = parse(&mut stream, &mut out);
        io::copy(&mut stream, &mut io::sink()).unwrap();
        match result {
            Ok(()) => writeln!(out, "#end").unwrap(),
            Err(e) => writeln!(out, "#error {e}").unwrap(),
        }
        out.flush().unwrap();
    }
}
