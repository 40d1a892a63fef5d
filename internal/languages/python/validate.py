"""Validates lines with jsonschema as it comes: validate.py BUNDLE SAMPLES BROKEN.

The best match, which jsonschema.validate raises, for a broken line must be at its place.
"""

import json
import re
import sys

import jsonschema


def place(error):
    path = "".join(f"/{step}" for step in error.absolute_path)
    if error.validator == "required":
        path += "/" + re.match(r"'(.*)' is a required property", error.message).group(1)
    return path


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    read = 0
    for line in open(sys.argv[2], encoding="utf-8"):
        sample = json.loads(line)
        if not validator.is_valid(json.loads(sample["text"])):
            print(json.dumps({"at": sample["at"], "problem": "it is not valid"}))
        read += 1
    for line in open(sys.argv[3], encoding="utf-8"):
        sample = json.loads(line)
        error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(sample["text"])))
        got = place(error) if error else "none"
        if got != sample["want"]:
            print(json.dumps({"at": sample["at"], "problem": f"{sample['text']}: the error is at {got}, want {sample['want']}"}))
        read += 1
    print(json.dumps({"read": read}))


main()
