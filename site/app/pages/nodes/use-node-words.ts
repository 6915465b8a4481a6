import { nodes as en } from '../../../words/en/nodes.ts'
import { nodes as ja } from '../../../words/ja/nodes.ts'
import type { Shape } from '../../../words/words.ts'
import { useLocale } from '../../words-context.tsx'

/** Apart from the other words: only this page needs them. */
export const useNodeWords = (): Shape<typeof en> => (useLocale().language === 'ja' ? ja : en)
