import { useRef, useState } from 'react'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { useWords } from '../../words-context.tsx'
import { readExpiry } from './expiry.ts'
import type { Expiry } from './expiry-fields.tsx'
import { type DraftField, type KeyDraft, limitNames, readDraft, readNamedLimit } from './key-draft.ts'

const maxCharacters = 100

/** The fields of a key as they are typed, and what of them the server is sent. */
export const useKeyForm = (first: { name: string; expiry: Expiry; draft: KeyDraft }) => {
  const { keys } = useWords()
  const nameRef = useRef<HTMLInputElement>(null)
  const dateRef = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(first.name)
  const [expiry, setExpiry] = useState(first.expiry)
  const [draft, setDraft] = useState(first.draft)
  const [wrongName, setWrongName] = useState<string | null>(null)
  const [isDateWrong, setDateWrong] = useState(false)
  const [wrong, setWrong] = useState<readonly DraftField[]>([])

  /** Null if something is invalid: it is shown, and the first invalid field gets the focus. */
  const read = () => {
    const badName = nameError(name, keys)
    const expiresAt = readExpiry(expiry.choice, expiry.date, Date.now())
    const { wrong: badFields, scopes, rest } = readDraft(draft)
    setWrongName(badName)
    setDateWrong(expiresAt === 'wrong')
    setWrong(badFields)
    if (badName !== null) nameRef.current?.focus()
    else if (expiresAt === 'wrong') dateRef.current?.focus()
    if (badName !== null || expiresAt === 'wrong' || badFields.length > 0) return null
    return { name: name.trim(), scopes, ...rest, ...(expiresAt === undefined ? {} : { expiresAt }) }
  }

  /** On leaving the field of a limit: says what is wrong with this one only. */
  const checkLimit = (name: LimitName): void => {
    const isWrong = readNamedLimit(name, draft.limits[name]) === 'wrong'
    setWrong((others) => [...others.filter((field) => field !== name), ...(isWrong ? [name] : [])])
  }

  /** Shows an error that the server found in a field; false if the error belongs to no field. */
  const showRefusal = (error: unknown): boolean => {
    const field = rejectedField(error)
    if (field === 'name') setWrongName(keys.nameRefused)
    else if (field !== null) setWrong([field])
    return field !== null
  }
  return {
    ...{ nameRef, dateRef, name, setName, expiry, setExpiry, draft, setDraft },
    ...{ wrongName, isDateWrong, wrong, read, checkLimit, showRefusal },
  }
}

export type KeyForm = ReturnType<typeof useKeyForm>

const nameError = (name: string, keys: ReturnType<typeof useWords>['keys']): string | null => {
  const length = [...name.trim()].length
  return length === 0 ? keys.nameNeeded : length > maxCharacters ? keys.nameTooLong : null
}

/** The field that a refusal names: `limits.tokensPerDay` is that of the limit. */
export const rejectedField = (error: unknown): DraftField | 'name' | null => {
  const param = error instanceof PlatformError ? error.param?.replace(/^limits\./, '') : undefined
  const fields: readonly (DraftField | 'name')[] = ['name', 'scopes', 'models', 'networks', ...limitNames]
  return fields.find((field) => field === param) ?? null
}
