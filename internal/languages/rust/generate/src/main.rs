//! Writes the types of a bundle as a module: generate BUNDLE OUT. The module has a function, too,
//! that reads a value as the type with a title.

use std::{env, fs};

use heck::ToPascalCase;
use typify_impl::{TypeSpace, TypeSpaceSettings};

fn main() {
    let args: Vec<String> = env::args().collect();
    let text = fs::read_to_string(&args[1]).expect("the bundle");
    let schema: schemars::schema::RootSchema = serde_json::from_str(&text).expect("a schema");
    let arms: String = schema
        .definitions
        .keys()
        .map(|title| format!("{title:?} => crate::reread::<{}>(value),", title.to_pascal_case()))
        .collect();
    let mut types = TypeSpace::new(&TypeSpaceSettings::default());
    types.add_root_schema(schema).expect("types");
    let code = format!(
        "{} pub fn read(title: &str, value: ::serde_json::Value) -> crate::Reread {{
            match title {{ {arms} _ => Err(format!(\"there is no type {{title}}\")) }}
        }}",
        types.to_stream()
    );
    let file = syn::parse_file(&code).expect("the generated code");
    let code = prettyplease::unparse(&file);
    if fs::read_to_string(&args[2]).ok().as_ref() != Some(&code) {
        fs::write(&args[2], code).expect("the output"); // cargo compiles what is new
    }
}
