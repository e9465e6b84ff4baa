// For each test for WebdriverIO: whether it takes what the `am` beside it says, and how it ends, for a command that has
// worked. No client is needed. The first argument is the folder in which npm has put TypeScript.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const [folder, ...files] = process.argv.slice(2)
const ts = createRequire(`${folder}/package.json`)('typescript')

async function worked(path) {
  const env = { ...process.env, PATH: `${dirname(path)}:${process.env.PATH}` }
  const execute = async (name, { command }) => {
    if (name !== 'mobile: shell') throw new Error(name)
    return execFileSync('sh', ['-c', command], { env, encoding: 'utf8' })
  }
  const text = readFileSync(path, 'utf8')
  const asks = text.match(/^ *await (tell\(.*\))$/m)[1]
  const test = ts.transpile(text, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 })
  const run = new Function('require', 'exports', 'describe', `${test}; return ${asks}`)
  try {
    await run(() => ({ driver: { execute } }), {}, () => {})
  } catch (error) {
    if (!error.message.startsWith('am st')) throw error
    return false
  }
  return true
}

console.log(JSON.stringify(await Promise.all(files.map(worked))))
