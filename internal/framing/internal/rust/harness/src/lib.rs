//! Parsers of NDJSON as a command. The first argument names the parser. With --persistent after it,
//! the program reads many streams, each in pieces.

mod pieces;

use std::error::Error;
use std::io::{self, BufRead, BufWriter, Read, Write};

pub type Outcome = Result<(), Box<dyn Error>>;
pub type Parser = fn(&mut dyn Read, &mut dyn Write) -> Outcome;

pub fn run(parsers: &[(&str, Parser)]) {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((_, parse)) = parsers.iter().find(|p| args.first().is_some_and(|a| a == p.0)) else {
        eprintln!("usage: COMMAND PARSER [--persistent]");
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
