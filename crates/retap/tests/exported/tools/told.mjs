// For each test for WebdriverIO: whether it takes what stands in the file beside it for the words of a command that has
// worked. No client is needed. The first argument is the folder in which npm has put TypeScript.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [folder, ...files] = process.argv.slice(2)
const ts = createRequire(`${folder}/package.json`)('typescript')

async function worked(path) {
  const says = readFileSync(path.replace(/ts$/, 'says'), 'utf8')
  const execute = async (name, { command }) => {
    // Whatever the code of the command is, and wherever its words go.
    if (name !== 'mobile: shell' || command !== 'am start 2>&1; true') throw new Error(`${name} ${command}`)
    return says
  }
  const test = ts.transpile(readFileSync(path, 'utf8'), { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 })
  const tell = new Function('require', 'exports', 'describe', `${test}; return tell`)
  try {
    await tell(() => ({ driver: { execute } }), {}, () => {})('am start')
  } catch (error) {
    if (!error.message.startsWith('am start: ')) throw error
    return false
  }
  return true
}

console.log(JSON.stringify(await Promise.all(files.map(worked))))
