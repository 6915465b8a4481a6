import { environment } from '../../src/config/load-config.ts'
import { engineKinds } from './engine-kinds.ts'
import { tryEngine } from './try-engine.ts'

/** Prints a table for each engine whose program is named in the environment; returns the exit code. */
export const tryEngines = async (signal: AbortSignal): Promise<number> => {
  let tried = 0
  for (const engine of engineKinds) {
    const program = environment()[engine.variable]
    if (program === undefined || program === '') {
      console.log(`${engine.name}: not tried: ${engine.variable} is not set`)
      continue
    }
    tried += 1
    const { version, results } = await tryEngine(engine, program, signal)
    console.log(`\n| | ${engine.name}, ${version} |\n|---|---|`)
    for (const { name, outcome, detail } of results)
      console.log(`| ${name} | ${outcome}${detail === '' ? '' : `: ${detail.replaceAll('|', '\\|')}`} |`)
  }
  return tried === 0 ? 2 : 0
}
