import { expect, test } from 'vitest'
import { createStepGate } from './step-gate.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const someTurns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
}

/** Work that says when it begins, and ends when it is told to. */
const createWork = (begun: string[]) => {
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const end = (name: string) => {
    const known = ends.get(name) ?? Promise.withResolvers<string>()
    ends.set(name, known)
    return known
  }
  return {
    end,
    work: (name: string) => () => {
      begun.push(name)
      return end(name).promise
    },
  }
}

test('whoever asks during a step waits for its end, and then all go together', async () => {
  const begun: string[] = []
  const { work, end } = createWork(begun)
  const step = createStepGate()
  const first = step(work('first'))
  await someTurns()
  const others = Promise.all([step(work('second')), step(work('third'))])
  await someTurns()
  expect(begun).toEqual(['first'])
  end('first').resolve('done')
  expect(await first).toBe('done')
  await someTurns()
  expect(begun).toEqual(['first', 'second', 'third'])
  end('second').resolve('2')
  end('third').resolve('3')
  expect(await others).toEqual(['2', '3'])
})

test('a step that goes on at once shares the next step with those who waited', async () => {
  const begun: string[] = []
  const { work, end } = createWork(begun)
  const step = createStepGate()
  const steady = step(work('steady 1')).then(() => step(work('steady 2')))
  await someTurns()
  const newcomer = step(work('newcomer'))
  end('steady 1').resolve('')
  await someTurns()
  expect(begun.toSorted()).toEqual(['newcomer', 'steady 1', 'steady 2'])
  end('newcomer').resolve('')
  end('steady 2').resolve('')
  await Promise.all([steady, newcomer])
})

test('work that fails fails for its owner only, and the gate goes on', async () => {
  const begun: string[] = []
  const { work, end } = createWork(begun)
  const step = createStepGate()
  const failing = step(work('failing'))
  await someTurns()
  const next = step(work('next'))
  end('failing').reject(new Error('broken'))
  await expect(failing).rejects.toThrow('broken')
  end('next').resolve('fine')
  expect(await next).toBe('fine')
})
