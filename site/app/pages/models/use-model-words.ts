import { models as en } from '../../../words/en/models.ts'
import { models as ja } from '../../../words/ja/models.ts'
import type { Shape } from '../../../words/words.ts'
import { useLocale } from '../../words-context.tsx'

/** Apart from the other words: only pages of the server's owner need them. */
export const useModelWords = (): Shape<typeof en> => (useLocale().language === 'ja' ? ja : en)
