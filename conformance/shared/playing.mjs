/** What the scenarios of all clients for Node and of all agents share. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Of the packages that were installed for the suite. */
export const versions = () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`)
  return `${named.join(', ')}, Node ${process.version}`
}

/** Runs a program to its end without a terminal; returns what it printed. */
export const runProgram = (program, args, { cwd, env }) => {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd, env, encoding: 'utf8', input: '' })
  assert.equal(status, 0, `${stdout} ${stderr}`)
  return stdout.trim()
}

/** Prints the client's version, then `ok NAME` or `FAIL NAME: reason` for each scenario. */
export const playAll = async (client, scenarios) => {
  console.log(client)
  let failures = 0
  for (const [name, play] of Object.entries(scenarios)) {
    try {
      await play()
      console.log(`ok ${name}`)
    } catch (error) {
      failures += 1
      console.log(`FAIL ${name}: ${String(error).split('\n').slice(0, 6).join(' ')}`)
    }
  }
  process.exit(failures === 0 ? 0 : 1)
}
