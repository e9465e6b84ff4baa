// Runs the specs that sessions.json names, and writes down how each test ended.
import { appendFileSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

const { port, capabilities } = JSON.parse(readFileSync('sessions.json', 'utf8'))

export const config: WebdriverIO.Config = {
  runner: 'local',
  hostname: '127.0.0.1',
  port,
  path: '/',
  specs: [],
  capabilities,
  maxInstances: 3,
  framework: 'mocha',
  mochaOpts: { timeout: 120_000 },
  waitforTimeout: 5_000,
  connectionRetryCount: 0,
  reporters: ['dot'],
  logLevel: 'error',
  afterTest: (test, _context, { passed, error }) => {
    const result = { name: basename(test.file, '.spec.ts'), passed, message: error?.message }
    appendFileSync('results.jsonl', JSON.stringify(result) + '\n')
  },
}
