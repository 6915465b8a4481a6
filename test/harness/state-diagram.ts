import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './run-program.ts'

/** A diagram of a document, and the type in the code whose states it draws. */
export type StateDiagram = {
  file: string
  type: string
  states: string[]
  /** As `from --> to`, without those from and to nowhere. */
  transitions: string[]
}

const read = (path: string): string => readFileSync(join(repository, path), 'utf8')

/** The diagrams of states in a page. Each names its type in its first line: `%% src/usage/reservation-writer.ts StoreState`. */
export const stateDiagrams = (page: string): StateDiagram[] =>
  [...read(page).matchAll(/^```mermaid\n((?:%% [^\n]*\n)?stateDiagram.*?)^```$/gms)].map(([, text = '']) => {
    const [, file = '', type = ''] = /^%% (\S+) (\S+)\n/.exec(text) ?? []
    const arrows = [...text.matchAll(/^ +(\S+) --> ([^\s:]+)/gm)].map(([, from = '', to = '']) => ({ from, to }))
    const names = arrows.flatMap(({ from, to }) => [from, to]).filter((name) => name !== '[*]')
    const inside = arrows.filter(({ from, to }) => from !== '[*]' && to !== '[*]')
    return {
      file,
      type,
      states: [...new Set(names)].sort(),
      transitions: [...new Set(inside.map(({ from, to }) => `${from} --> ${to}`))],
    }
  })

/** The states of a union: of `{ type: 'away'; … }` or of plain words. It ends before the next declaration. */
export const unionStates = (file: string, type: string): string[] => {
  const [, union = ''] =
    new RegExp(`^(?:export )?type ${type} =(.*?)(?:\\n\\n|$(?![\\s\\S]))`, 'ms').exec(read(file)) ?? []
  const members = union.matchAll(/^ *(?:\| )?(?:\{ type: )?'([a-z_]+)'/gm)
  return [...members].map(([, name = '']) => name).sort()
}
