// Compiles Python modules to the bytecode of the very Python that a site runs: `node compile.mjs
// FOLDER` reads given.zip beside Pyodide in a folder, and writes made.zip there. Docstrings of functions go, as nobody
// reads them there; those of classes stay, as some are data.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(folder + "/pyodide.mjs").href);
const py = await loadPyodide({ indexURL: folder + "/" });
py.FS.writeFile("/given.zip", readFileSync(folder + "/given.zip"));
py.runPython(`
import ast
import importlib._bootstrap_external as machinery
import zipfile
from importlib.util import source_hash

def bare(node):
    for one in node.body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = one.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                one.body[0] = ast.copy_location(ast.Pass(), first)
        elif isinstance(one, ast.ClassDef):
            bare(one)
    return node

with zipfile.ZipFile("/given.zip") as given, zipfile.ZipFile("/made.zip", "w") as made:
    for name in given.namelist():
        source = given.read(name)
        place = "/lib/pbem-site/" + name.partition("/")[2]
        code = compile(bare(ast.parse(source)), place, "exec", dont_inherit=True, optimize=0)
        data = machinery._code_to_hash_pyc(code, source_hash(source), False)
        made.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), bytes(data))
`);
writeFileSync(folder + "/made.zip", py.FS.readFile("/made.zip"));
