import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { errorCode } from '../../../base/caught-error.ts'
import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import { type ChatTemplate, createChatTemplate } from '../../embedded/template.ts'
import { ModelRefused } from '../../model-refused.ts'
import { type LoadedTokenizer, TokenizerRefused } from './loaded-tokenizer.ts'

const knownTypes = ['BPE', 'Unigram', 'WordPiece']
/** The largest vocabularies take about half of it. */
const maxBytes = 64 * 1024 * 1024

/**
 * Reads a `tokenizer.json` and, in the same folder, `tokenizer_config.json` and `chat_template.jinja`, from which the chat
 * template comes. Throws a `TokenizerRefused` that says what is wrong with the files.
 */
export const loadTokenizer = async (path: string): Promise<LoadedTokenizer> => {
  const tokenizer = asObject(await readText(path), path)
  const folder = dirname(path)
  const configPath = join(folder, 'tokenizer_config.json')
  const configText = await readOptional(configPath)
  const config = configText === null ? {} : asObject(configText, configPath)
  const source = (await readOptional(join(folder, 'chat_template.jinja'))) ?? templateIn(config)
  const opened = construct(tokenizer, config, path)
  const count = (text: string): number =>
    text === '' ? 0 : opened.encode(text, { add_special_tokens: false }).ids.length
  return {
    count,
    // The template writes the token that begins a prompt.
    countPrompt: count,
    template: source === null ? null : loadTemplate(source, config, path),
    close: () => {},
  }
}

const construct = (tokenizer: Record<string, unknown>, config: Record<string, unknown>, path: string): Tokenizer => {
  if (!isRecord(tokenizer.model)) throw new TokenizerRefused(`${path} is not a tokenizer.json: it has no model`)
  const { type } = tokenizer.model
  // Files of old versions do not name the type.
  if (typeof type === 'string' && !knownTypes.includes(type))
    throw new TokenizerRefused(`${path} cannot be used: its type is ${type}, not ${knownTypes.join(', ')}`)
  try {
    const opened = new Tokenizer(tokenizer, config)
    // Some faults appear only with the first text.
    opened.encode('A text, 日本語.', { add_special_tokens: false })
    return opened
  } catch (error) {
    throw new TokenizerRefused(`${path} cannot be used: ${firstLine(error)}`)
  }
}

const loadTemplate = (source: string, config: Record<string, unknown>, path: string): ChatTemplate => {
  try {
    return createChatTemplate(source, { bosToken: tokenText(config.bos_token), eosToken: tokenText(config.eos_token) })
  } catch (error) {
    if (!(error instanceof ModelRefused)) throw error
    throw new TokenizerRefused(`the chat template beside ${path} cannot be read: ${error.message}`)
  }
}

/** One template, or several by name. */
const templateIn = ({ chat_template: template }: Record<string, unknown>): string | null => {
  if (typeof template === 'string') return template
  if (!Array.isArray(template)) return null
  const named: unknown[] = template
  const usual = named.find((one) => isRecord(one) && one.name === 'default')
  return isRecord(usual) && typeof usual.template === 'string' ? usual.template : null
}

const tokenText = (token: unknown): string => {
  if (typeof token === 'string') return token
  return isRecord(token) && typeof token.content === 'string' ? token.content : ''
}

const asObject = (text: string, path: string): Record<string, unknown> => {
  try {
    const value = parseJsonText(text)
    if (isRecord(value)) return value
  } catch {}
  throw new TokenizerRefused(`${path} is not a JSON object`)
}

const readText = async (path: string): Promise<string> => {
  const text = await readOptional(path)
  if (text === null) throw new TokenizerRefused(`${path} does not exist`)
  return text
}

/** Null if the file does not exist. */
const readOptional = async (path: string): Promise<string | null> => {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    if (size > maxBytes) throw new TokenizerRefused(`${path} has more than ${maxBytes} bytes`)
    return await file.readFile('utf8')
  } catch (error) {
    if (error instanceof TokenizerRefused) throw error
    if (errorCode(error) === 'ENOENT') return null
    throw new TokenizerRefused(`${path} cannot be read: ${firstLine(error)}`)
  }
}

const firstLine = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : '')
