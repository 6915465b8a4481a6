import { upstreams as en } from '../../../words/en/upstreams.ts'
import { upstreams as ja } from '../../../words/ja/upstreams.ts'
import type { Shape } from '../../../words/words.ts'
import { useLocale } from '../../words-context.tsx'

/** Apart from the other words: only this page needs them. */
export const useUpstreamWords = (): Shape<typeof en> => (useLocale().language === 'ja' ? ja : en)
