import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import { type CodeRun, codeRuns } from './code-runs.ts'

/** A module of its own, because it is loaded with the first code block, not with the page. */
const lowlight = createLowlight({
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
})

/** Some languages read a line, or all words up to the next bracket, again from each word. */
const slowToRead = /[^\n]{500}|[\w\s*&]{500}/

/**
 * Code in pieces of one look each. A language that is not known is not guessed: its code has one look, as has code that would
 * take long or is nested too deeply.
 */
export const highlight = (language: string, code: string): readonly CodeRun[] => {
  const name = language.toLowerCase()
  const plain = [{ look: 'plain', text: code }] as const
  if (!lowlight.registered(name) || slowToRead.test(code)) return plain
  try {
    return codeRuns(lowlight.highlight(name, code).children)
  } catch (error) {
    if (error instanceof RangeError) return plain
    throw error
  }
}
