/** Counts with `tokenizer.json` files. */
import { loadTokenizer } from './load-tokenizer.ts'
import { serveCounts } from './serve-counts.ts'

serveCounts(loadTokenizer)
