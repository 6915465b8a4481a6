import type { Key } from '../../../platform/types.ts'
import { LedeText } from '../../components/lede-text.tsx'
import { keysLede } from '../../ledes/keys-lede.ts'
import { useWords } from '../../words-context.tsx'

type KeysLedeProps = { keys: readonly Key[] | undefined; now: number; failed: boolean }

/** How many keys are live, and which need attention. The line keeps its height while it loads. */
export const KeysLede = ({ keys: all, now, failed }: KeysLedeProps) => {
  const words = useWords()
  if (all === undefined) return failed ? words.shell.stillWork : <span className="skeleton-line" />
  return <LedeText parts={keysLede(all, now, words)} />
}
