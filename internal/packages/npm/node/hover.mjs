// Prints the comment that an editor shows at the first place of a text in a file: hover.mjs FILE TEXT.
import fs from "node:fs";
import ts from "typescript";

const [file, text] = process.argv.slice(2);
const options = { strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext };
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => (fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, "utf8")) : undefined),
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});
const { documentation } = service.getQuickInfoAtPosition(file, fs.readFileSync(file, "utf8").indexOf(text));
console.log(ts.displayPartsToString(documentation));
