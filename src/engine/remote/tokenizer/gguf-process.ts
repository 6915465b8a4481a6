/** Counts with GGUF files, in a process of its own: a file on which llama.cpp aborts ends nothing else. */
import { loadGgufTokenizer } from './load-gguf-tokenizer.ts'
import { serveCounts } from './serve-counts.ts'

serveCounts(loadGgufTokenizer)
