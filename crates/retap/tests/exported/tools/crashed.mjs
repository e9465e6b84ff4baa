// For each test for WebdriverIO: whether the log beside it tells of the crash that the test expects. No client is needed. The
// first argument is the folder in which npm has put TypeScript.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [folder, ...files] = process.argv.slice(2)
const ts = createRequire(`${folder}/package.json`)('typescript')

async function crashed(path) {
  const log = readFileSync(path.replace(/ts$/, 'log'), 'utf8').split('\n')
  const driver = { getLogs: async () => log.map((message) => ({ message })) }
  const test = ts.transpile(readFileSync(path, 'utf8'), { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 })
  const run = new Function('require', 'exports', 'describe', `${test}; return hasCrashedWithException()`)
  return run(() => ({ driver }), {}, () => {})
}

console.log(JSON.stringify(await Promise.all(files.map(crashed))))
