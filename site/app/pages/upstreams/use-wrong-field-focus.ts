import { type RefObject, useEffect, useRef } from 'react'

/** The form is long: what is wrong is seen only if the focus goes there, after each attempt and once the server has answered. */
export const useWrongFieldFocus = (attempts: number, error: unknown): RefObject<HTMLSpanElement | null> => {
  const place = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error that arrives later is shown in the same way
  useEffect(() => {
    if (attempts > 0) place.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts, error])
  return place
}
