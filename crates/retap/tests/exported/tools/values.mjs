// For each file: the shape of its program, in which every text is alike, and the texts in their order. The first argument is
// the folder in which npm has put TypeScript.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [folder, ...files] = process.argv.slice(2)
const ts = createRequire(`${folder}/package.json`)('typescript')

function values(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  if (file.parseDiagnostics.length > 0) {
    throw new Error(`${path}: ${JSON.stringify(file.parseDiagnostics.map((one) => one.messageText))}`)
  }
  const strings = []
  const shape = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      strings.push(node.text)
      return 'text'
    }
    if (ts.isIdentifier(node) || ts.isNumericLiteral(node) || ts.isRegularExpressionLiteral(node)) return node.text
    const inside = []
    node.forEachChild((child) => void inside.push(shape(child)))
    return `${ts.SyntaxKind[node.kind]}(${inside.join(',')})`
  }
  return { shape: shape(file), strings }
}

console.log(JSON.stringify(Object.fromEntries(files.map((path) => [path, values(path)]))))
