import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stateDiagrams } from '../../test/harness/state-diagram.ts'
import { ServerLife } from './server-life.ts'

const phases = ['storage', 'cluster', 'accounting', 'endpoints', 'listeners'] as const

/** How many parts each phase opens, and after how many parts in all one cannot be opened; null: all can. */
const starts = fc.record({
  parts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: phases.length, maxLength: phases.length }),
  failsAfter: fc.option(fc.integer({ min: 1, max: 15 })),
})

test('whatever cannot be opened, what was opened before is closed in the reverse order, once', async () => {
  const drawn = stateDiagrams('docs/lifecycle.md').find(({ type }) => type === 'ServerState')?.transitions ?? []
  await fc.assert(
    fc.asyncProperty(starts, async ({ parts, failsAfter }) => {
      const life = new ServerLife()
      const [opened, closed, passed]: [string[], string[], string[]] = [[], [], [life.state]]
      const openAll = async (): Promise<void> => {
        for (const [index, phase] of phases.entries())
          await life.open(phase, async (closers) => {
            passed.push(life.state)
            for (let part = 0; part < (parts[index] ?? 0); part += 1) {
              if (opened.length === failsAfter) throw new Error('it cannot be opened')
              const name = `${phase} ${part}`
              opened.push(name)
              closers.add(() => {
                passed.push(life.state)
                closed.push(name)
              })
            }
          })
        life.serve()
        passed.push(life.state)
      }
      await openAll().catch(() => {})
      expect(closed).toEqual([])
      await Promise.all([life.close(), life.close()])
      expect(closed).toEqual(opened.toReversed())
      passed.push(life.state)
      const changes = passed.slice(1).map((to, index) => ({ from: passed[index], to }))
      const seen = changes.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from} --> ${to}`)
      expect(seen.filter((change) => !drawn.includes(change))).toEqual([])
    }),
  )
})

test('phases are opened in their order, and none twice', async () => {
  const life = new ServerLife()
  await expect(life.open('cluster', () => {})).rejects.toThrow('cluster cannot follow unopened')
  await life.open('storage', () => {})
  await expect(life.open('storage', () => {})).rejects.toThrow('storage cannot follow storage')
  await expect(life.open('accounting', () => {})).rejects.toThrow('accounting cannot follow storage')
  expect(() => life.serve()).toThrow('serving cannot follow storage')
  await life.close()
  for (const phase of phases) await expect(life.open(phase, () => {})).rejects.toThrow(`${phase} cannot follow closed`)
})
