import { afterEach, expect, test } from 'vitest'
import { createManualClock } from '../../../../test/harness/manual-clock.ts'
import { createMatcher } from '../../../grammar/matcher.ts'
import { type GrammarCompiler, openGrammarCompiler } from './grammar-compiler.ts'
import type { FormatSource, GrammarSource } from './grammar-source.ts'

const open = new Set<GrammarCompiler>()
afterEach(async () => {
  for (const compiler of open) await compiler.close()
  open.clear()
})
const timeoutMs = 4_321
const openCompiler = (file?: URL) => {
  const clock = createManualClock()
  const compiler = openGrammarCompiler({ clock, timeoutMs, ...(file === undefined ? {} : { file }) })
  open.add(compiler)
  return { compiler, clock }
}
const formatted = (format: FormatSource): GrammarSource => ({ tools: [], calls: null, format })
const schemaSource = (schema: unknown): GrammarSource =>
  formatted({ type: 'schema', schema, strict: false, place: "response_format 'x'", param: 'response_format' })
const asked = { organisationId: 'org_1', ownerId: 'usr_1', answers: 1, signal: new AbortController().signal }
/** A thread that never answers. */
const endless = new URL(
  'data:text/javascript,import{parentPort}from"node:worker_threads";parentPort.on("message",()=>{for(;;);});parentPort.postMessage({type:"ready"})',
)

test('what the engine gets is the compiled grammar as bytes, the same bytes for the same source', async () => {
  const { compiler } = openCompiler()
  const source = schemaSource({ type: 'integer', minimum: 3, maximum: 4 })
  const [first, second] = await Promise.all([compiler.compile(source, asked), compiler.compile(source, asked)])
  if (first === null) throw new Error('not constrained')
  expect(first.grammar).toBeInstanceOf(Uint8Array)
  expect(second?.grammar).toBe(first.grammar)
  expect((await compiler.compile(structuredClone(source), asked))?.grammar).toBe(first.grammar)
  const matcher = createMatcher(first.grammar)
  expect(matcher.advance(matcher.start, Buffer.from('3'))).not.toBeNull()
  expect(matcher.advance(matcher.start, Buffer.from('5'))).toBeNull()
})

test('a number that no JSON can hold is refused, and not read as null', async () => {
  const { compiler } = openCompiler()
  const schema: unknown = JSON.parse('{"enum":[1,1e999]}')
  await expect(compiler.compile(schemaSource(schema), asked)).rejects.toMatchObject({
    errorName: 'refused_value',
    options: { param: 'response_format' },
  })
})

test('a large grammar is not copied to the engine for very many answers', async () => {
  const { compiler } = openCompiler()
  const source = schemaSource({
    enum: Array.from({ length: 5_000 }, (_, index) => `${index} is the number of an entry in a long list`),
  })
  expect(await compiler.compile(source, { ...asked, answers: 2 })).not.toBeNull()
  await expect(compiler.compile(source, { ...asked, answers: 128 })).rejects.toMatchObject({
    errorName: 'schema_too_complex',
    options: { param: 'response_format' },
  })
})

/** A thread that refuses everything and says what that took it. */
const refusing = new URL(
  'data:text/javascript,import{parentPort}from"node:worker_threads";parentPort.on("message",()=>parentPort.postMessage({type:"result",value:{ok:false,cpuMs:12,refusal:{error:"refused_value",reason:"no",param:"response_format"}}}));parentPort.postMessage({type:"ready"})',
)

test('what a refused schema cost counts against its caller, but not the second time, when it is known', async () => {
  const { compiler } = openCompiler(refusing)
  const refused = { errorName: 'refused_value' }
  const compile = () => compiler.compile(schemaSource({}), asked)
  await expect(compile()).rejects.toMatchObject({ ...refused, options: { cpuMs: 12 } })
  await expect(compile()).rejects.toMatchObject({ ...refused, options: { cpuMs: 0 } })
})

test('organisations do not share what was compiled', async () => {
  const { compiler } = openCompiler()
  const source = schemaSource({ type: 'integer' })
  const own = await compiler.compile(source, asked)
  const others = await compiler.compile(source, { ...asked, organisationId: 'org_2' })
  expect(others?.grammar).toEqual(own?.grammar)
  expect(others?.grammar).not.toBe(own?.grammar)
})

test('without a source nothing is compiled, and there is no constraint', async () => {
  const { compiler } = openCompiler(endless)
  expect(await compiler.compile(null, asked)).toBeNull()
})

test('a schema that takes too long is a 400 with its place, and others go on meanwhile', async () => {
  const { compiler, clock } = openCompiler(endless)
  const slow = compiler.compile(schemaSource({ type: 'integer' }), asked)
  const refused = expect(slow).rejects.toMatchObject({
    errorName: 'schema_too_complex',
    status: 400,
    options: { param: 'response_format' },
  })
  await clock.awaited(timeoutMs)
  clock.advance(timeoutMs)
  await refused
})

test('an owner that waits for too many schemas is told to come back, whatever the organisation, and another is not', async () => {
  const { compiler } = openCompiler(endless)
  const many = Array.from({ length: 33 }, (_, index) => compiler.compile(schemaSource({ minimum: index }), asked))
  const settled = Promise.allSettled(many)
  const more = compiler.compile(schemaSource({ minimum: 33 }), { ...asked, organisationId: 'org_3' })
  await expect(more).rejects.toMatchObject({ errorName: 'schema_compiler_busy', status: 503 })
  const left = new AbortController()
  const other = compiler.compile(schemaSource({}), {
    ...asked,
    organisationId: 'org_2',
    ownerId: 'usr_2',
    signal: left.signal,
  })
  left.abort(new Error('left'))
  await expect(other).rejects.toThrow('left')
  await compiler.close()
  const outcomes = await settled
  expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true)
  await expect(many[0]).rejects.toMatchObject({ errorName: 'shutting_down' })
})
