import { useEffect, useRef, useState } from 'react'
import { createEndingUndo, type EndingUndo } from '../../components/create-ending-undo.ts'
import { useToast } from '../../components/toasts.tsx'
import { chosenModel, modelChoices } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { isRefused } from '../playground/attachments.ts'
import { usePlaygroundParts } from '../playground/use-playground.ts'
import { firstColumns, sharedFiles, type TakenOver, takeOver } from './take-over.ts'
import { type Side, useSide } from './use-side.ts'

export type CompareColumn = { letter: string; side: Side }

const letters = ['A', 'B', 'C', 'D'] as const
const fewest = 2

/** Two to four columns. A further one begins like the last that is shown; one that was removed can be brought back as it was. */
export const useColumns = () => {
  const { compare } = useWords()
  const { store } = usePlaygroundParts()
  const toast = useToast()
  const [taken] = useState<TakenOver>(() => takeOver(store.read()))
  const { own, shared } = taken
  const session = useSession()
  const files = sharedFiles(shared)
  const fitting = modelChoices(session).filter((model) => !files.some((file) => isRefused(model, file)))
  const models = fitting.map(({ id }) => id)
  const [first, second] = firstColumns(own, chosenModel(session, own.model).id, models)
  const sides = {
    A: useSide(first, shared),
    B: useSide(second, shared),
    C: useSide(own, shared),
    D: useSide(own, shared),
  }
  const [shown, setShown] = useState<readonly (typeof letters)[number][]>(['A', 'B'])
  const hidden = letters.find((letter) => !shown.includes(letter))
  const undos = useUndos()
  const add = (): void => {
    const last = shown.at(-1)
    if (hidden === undefined || last === undefined) return
    undos.end(hidden)
    sides[hidden].change(sides[last].settings)
    setShown(letters.filter((letter) => letter === hidden || shown.includes(letter)))
  }
  const remove = (gone: string): void => {
    setShown(shown.filter((letter) => letter !== gone))
    const bringBack = (): void => setShown((now) => letters.filter((letter) => letter === gone || now.includes(letter)))
    toast(compare.removed(gone), undos.begin(gone, bringBack))
  }
  const columns: CompareColumn[] = shown.map((letter) => ({ letter, side: sides[letter] }))
  return {
    ...{ taken, columns },
    /** Undefined: there are as many as there can be. */
    add: hidden === undefined ? undefined : add,
    /** Undefined: there is nothing left to compare with. */
    remove: shown.length > fewest ? remove : undefined,
  }
}

/** What brings columns back, by their letters. It ends when the column is added anew, and when the page is left. */
const useUndos = () => {
  const current = useRef(new Map<string, EndingUndo>())
  useEffect(() => {
    const undos = current.current
    return () => {
      for (const undo of undos.values()) undo.end()
    }
  }, [])
  return {
    begin(letter: string, run: () => void): EndingUndo {
      const undo = createEndingUndo(run)
      current.current.set(letter, undo)
      return undo
    },
    end: (letter: string): void => current.current.get(letter)?.end(),
  }
}
