use serde_json::{Map, Value};

use super::{OptionalPlace, Place};
use crate::json;

/// An object that is written. What `extra` has goes before what a field has.
pub struct Fields<'a> {
    out: &'a mut String,
    extra: &'a Map<String, Value>,
    some: bool,
}

impl<'a> Fields<'a> {
    pub fn new(out: &'a mut String, extra: &'a Map<String, Value>) -> Self {
        out.push('{');
        Fields { out, extra, some: false }
    }

    fn name(&mut self, name: &str) {
        if self.some {
            self.out.push(',');
        }
        self.some = true;
        json::string(self.out, name);
        self.out.push(':');
    }

    pub fn tag(&mut self, name: &'static str, value: &'static str) {
        self.name(name);
        json::string(self.out, value);
    }

    pub fn except(&mut self, _: &'static str, _: &[&str]) {}

    pub fn lacks(&mut self, _: &'static str, _: &[&str]) {}

    pub fn required(&mut self, name: &'static str, value: &dyn Place) {
        if self.extra.is_empty() || !self.extra.contains_key(name) {
            self.name(name);
            value.put(self.out);
        }
    }

    pub fn optional(&mut self, name: &'static str, value: &dyn OptionalPlace) {
        if let Some(value) = value.get() {
            self.required(name, value);
        }
    }

    pub fn end(mut self) {
        for (name, value) in self.extra {
            self.name(name);
            json::value(self.out, value);
        }
        self.out.push('}');
    }
}
