"""Reads samples with the generated models: check.py MODELS SAMPLES."""

import importlib.util
import json
import sys

from pydantic import BaseModel, RootModel, ValidationError


def load(path):
    spec = importlib.util.spec_from_file_location("models", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["models"] = module
    spec.loader.exec_module(module)
    return module


def classes(value, found):
    """Adds the names of all models in value."""
    if isinstance(value, RootModel):
        classes(value.root, found)
    elif isinstance(value, BaseModel):
        found.add(type(value).__name__)
        for member in value.__dict__.values():
            classes(member, found)
    elif isinstance(value, list):
        for element in value:
            classes(element, found)
    elif isinstance(value, dict):
        for element in value.values():
            classes(element, found)


def problem(models, sample):
    value = json.loads(sample["text"])
    try:
        model = getattr(models, sample["type"]).model_validate(value)
    except ValidationError as err:
        return str(err)[:500]
    found = set()
    classes(model, found)
    missing = [arm for arm in sample["arms"] or [] if arm not in found]
    if missing:
        return f"read as {sorted(found)}, without {missing}"
    if model.model_dump(by_alias=True, exclude_unset=True) != value:
        return "the value changed"


def main():
    models = load(sys.argv[1])
    read = 0
    with open(sys.argv[2], encoding="utf-8") as samples:
        for line in samples:
            sample = json.loads(line)
            why = problem(models, sample)
            if why:
                print(json.dumps({"at": sample["at"], "problem": why}))
            read += 1
    for name, value in [
        ("FromCLI", {"type": "no_such_type"}),
        ("FromSDK", {"type": "control_request", "request_id": "1"}),
        ("PermissionResult", {"behavior": "deny", "message": 7}),
    ]:
        try:
            getattr(models, name).model_validate(value)
            print(json.dumps({"at": "a broken value", "problem": f"{value} is taken for a {name}"}))
        except ValidationError:
            pass
    print(json.dumps({"read": read}))


main()
