import type { LimitsShown } from '../../../../src/platform/contract/limits.ts'
import { LedeText } from '../../components/lede-text.tsx'
import { limitsLede } from '../../ledes/limits-lede.ts'
import { useWords } from '../../words-context.tsx'

/** Whether anything is near its limit, in one sentence. */
export const LimitsLede = ({ shown }: { shown: LimitsShown }) => <LedeText parts={limitsLede(shown, useWords())} />
