import { en } from '../../words/notices/en.ts'
import { ja } from '../../words/notices/ja.ts'
import type { Shape } from '../../words/words.ts'
import { useLocale } from '../words-context.tsx'

/** Apart from the other words: a page is shown before it needs them. */
export const useNoticeWords = (): Shape<typeof en> => (useLocale().language === 'ja' ? ja : en)
