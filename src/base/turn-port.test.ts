import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from './clock.ts'
import { openTurnPort } from './turn-port.ts'

type Calls = {
  double: { asks: number; answers: number }
  /** Has a set, so it is not plain. */
  members: { asks: Set<string>; answers: Map<string, number> }
}
type Notes = { said: string; bytes: Uint8Array }

const failures = {
  toPlain: (error: unknown) => ({ text: String(error), at: new Set([1]) }),
  fromPlain: (plain: unknown) => plain,
}

const openBoth = () => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const heard: unknown[] = []
  const options = { failures, plain: new Set(['double', 'said']), clock }
  openTurnPort<Calls, Notes, Record<never, never>, Record<never, never>>(
    port2,
    {
      calls: {
        double: (value) => {
          if (value < 0) throw new Error('below zero')
          return 2 * value
        },
        members: (names) => new Map([...names].map((name) => [name, name.length])),
      },
      notes: { said: (text) => heard.push(text), bytes: (bytes) => heard.push(bytes) },
    },
    options,
  )
  const port = openTurnPort<Record<never, never>, Record<never, never>, Calls, Notes>(
    port1,
    { calls: {}, notes: {} },
    options,
  )
  return { port, heard }
}

test('what is plain and what is not arrives in the order in which it was said, each with its own value', async () => {
  const { port, heard } = openBoth()
  port.note('said', 'one')
  port.note('bytes', new Uint8Array([1]))
  port.note('said', 'two')
  port.note('bytes', new Uint8Array([2]))
  const [four, lengths] = await Promise.all([port.call('double', 2), port.call('members', new Set(['a', 'bc']))])
  expect(four).toBe(4)
  expect(lengths).toEqual(
    new Map([
      ['a', 1],
      ['bc', 2],
    ]),
  )
  expect(heard).toEqual(['one', new Uint8Array([1]), 'two', new Uint8Array([2])])
})

test('a failure rejects its question only', async () => {
  const { port } = openBoth()
  const failed = port.call('double', -1)
  const answered = port.call('double', 3)
  await expect(failed).rejects.toEqual({ text: 'Error: below zero', at: new Set([1]) })
  expect(await answered).toBe(6)
})
