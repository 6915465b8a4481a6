import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { writeTinyModel } from '../../../scripts/tiny-models/tiny-models.ts'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { scratchPath } from '../../../test/harness/scratch-path.ts'
import { systemClock } from '../../base/clock.ts'
import type { LogFields } from '../../base/log.ts'
import { readModel } from '../model-folder.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from './embedded-engine.ts'

const compiler = 'cc'
const canRun = process.platform === 'linux' && spawnSync(compiler, ['--version']).status === 0
const platform = `${process.platform}-${process.arch}`
const plain = fileURLToPath(
  new URL(`../../../node_modules/@node-llama-cpp/${platform}/bins/${platform}`, import.meta.url),
)
const workerPath = fileURLToPath(new URL('../../engine-process.ts', import.meta.url))
const never = new AbortController().signal

/** llama.cpp, whose steps fail as the first character of a file says: `2` and `3` with the code -2 or -3, `a` by an abort. */
const shim = (real: string, fault: string): string => `
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
struct batch { int tokens; void * arrays[6]; };
int llama_decode(void * context, struct batch batch) {
  FILE * file = fopen("${fault}", "r");
  if (file) {
    int kind = fgetc(file);
    fclose(file);
    if (kind == 'a') { fprintf(stderr, "device lost\\n"); abort(); }
    return '0' - kind;
  }
  int (*decode)(void *, struct batch) = dlsym(dlopen("${real}", RTLD_NOW), "llama_decode");
  return decode(context, batch);
}`

const buildFaulty = () => {
  const folder = scratchPath()
  const fault = join(scratchPath(), 'fault')
  const files = readdirSync(plain)
  for (const file of files) symlinkSync(join(plain, file), join(folder, file))
  const real = files.find((file) => /^libllama\.v/.test(file)) ?? ''
  // The other functions are those of the real library, which must be linked although nothing refers to it.
  const linked = ['-Wl,--no-as-needed', '-x', 'none', join(folder, real), `-Wl,-rpath,${folder}`]
  execFileSync(compiler, ['-shared', '-fPIC', '-x', 'c', '-', ...linked, '-o', join(folder, 'libllama.so')], {
    input: shim(join(folder, real), fault),
  })
  return { folder, fault }
}

const opened: EmbeddedEngine[] = []
afterAll(() => Promise.all(opened.map((engine) => engine.close())))

const open = async (ownBuild: string | null) => {
  const lines: string[] = []
  const waiting: { has: (line: string) => boolean; found: () => void }[] = []
  const note = (event: string, fields: LogFields = {}): void => {
    const line = `${event} ${JSON.stringify(fields)}`
    lines.push(line)
    for (const { has, found } of waiting) if (has(line)) found()
  }
  const engine = openEmbeddedEngine({
    ...{ modelFiles: await readModel(writeTinyModel(scratchPath(), 'tiny-chat')), slots: 2, threads: 1, ownBuild },
    ...{ clock: systemClock, log: { info: note, warn: note, error: note }, workerPath },
  })
  opened.push(engine)
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
  /** Resolves when this is logged again. */
  const next = (text: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ has: (line) => line.includes(text), found: resolve })
    return promise
  }
  return { engine, lines, next }
}

/** The tokens of an answer, or the code of its error. */
const answer = async (engine: EmbeddedEngine): Promise<number | string> => {
  try {
    const prepared = await engine.prepare(talk('Hello'), never)
    let tokens = 0
    for await (const event of prepared.generate({ ...openSampling, maxTokens: 4, ignoreEnd: true }, never))
      if (event.type === 'token') tokens += 1
    return tokens
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

test.runIf(canRun)(
  'a device that fails in mid-answer costs the answers in progress and one restart; other models go on',
  { timeout: 120_000 },
  async () => {
    const { folder, fault } = buildFaulty()
    const [faulty, other] = [await open(folder), await open(null)]
    expect(await answer(faulty.engine)).toBe(4)
    for (const [kind, reason] of [
      ['3', 'the device could not compute the step (llama_decode returned -3)'],
      ['a', 'device lost'],
    ] as const) {
      const [gone, ready] = [faulty.next('engine_exited'), faulty.next('engine_ready')]
      writeFileSync(fault, kind)
      expect(await answer(faulty.engine)).toBe('engine_failed')
      await gone
      rmSync(fault)
      expect(await answer(faulty.engine)).toBe('engine_loading')
      expect(await answer(other.engine)).toBe(4)
      await ready
      expect(await answer(faulty.engine)).toBe(4)
      expect(faulty.lines.some((line) => line.startsWith('engine_output') && line.includes(reason))).toBe(true)
    }
    const exits = faulty.lines.filter((line) => line.startsWith('engine_exited'))
    expect(exits.map((line) => /"restartMs":(\d+)/.exec(line)?.[1])).toEqual(['250', '500'])
    expect(other.lines.some((line) => line.startsWith('engine_exited'))).toBe(false)
  },
)

test.runIf(canRun)(
  'memory of the device that is short for a moment costs the answers in progress only',
  { timeout: 120_000 },
  async () => {
    const { folder, fault } = buildFaulty()
    const { engine, lines } = await open(folder)
    writeFileSync(fault, '2')
    expect(await answer(engine)).toBe('engine_failed')
    rmSync(fault)
    expect(await answer(engine)).toBe(4)
    expect(lines.some((line) => line.startsWith('engine_exited'))).toBe(false)
  },
)
