import { pageLanguage } from '../../../preferences/language.ts'
import { faults as faultsEn } from '../../../words/en/faults.ts'
import { en } from '../../../words/gate/en.ts'
import type { GateWords } from '../../../words/gate/gate-words.ts'
import { ja } from '../../../words/gate/ja.ts'
import { faults as faultsJa } from '../../../words/ja/faults.ts'
import type { Words } from '../../../words/words.ts'

/** The words of this page's language. */
export const gateWords: GateWords = pageLanguage() === 'ja' ? ja : en
export const faultWords: Words['faults'] = pageLanguage() === 'ja' ? faultsJa : faultsEn
