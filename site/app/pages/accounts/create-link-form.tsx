import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Link, LinkKind } from '../../../../src/platform/contract/server.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'

export type WantedLink = { kind: LinkKind; email: string }
export type MadeLink = Link & { email: string }

type CreateLinkFormProps = { wanted: WantedLink; onMade(made: MadeLink): void; onClose(): void }

/** Refusals that belong to the email field. */
const emailCodes = ['invalid_email', 'email_taken', 'not_found']

export const CreateLinkForm = ({ wanted, onMade, onClose }: CreateLinkFormProps) => {
  const platform = usePlatform()
  const { admin, errors, shell } = useWords()
  const [kind, setKind] = useState(wanted.kind)
  const [email, setEmail] = useState(wanted.email)
  const [isMissing, setMissing] = useState(false)
  const make = useMutation({
    mutationFn: () => platform.createLink({ body: { kind, email: email.trim() } }),
    // A link is as powerful as a password, so it is kept nowhere but on the page.
    gcTime: 0,
    onSuccess: (made) => onMade({ ...made, email: email.trim() }),
  })
  const submit = (): void => {
    setMissing(email.trim() === '')
    if (email.trim() !== '') make.mutate()
  }
  const code = make.error instanceof PlatformError ? make.error.code : null
  const isEmailWrong = code !== null && emailCodes.includes(code)
  const emailError = code === 'not_found' ? admin.noAccount : errorText(make.error, errors)
  const kinds: Record<LinkKind, { text: string; help: string }> = {
    invitation: { text: admin.invitation, help: admin.invitationText },
    password_reset: { text: admin.passwordReset, help: admin.passwordResetText },
    email_verification: { text: admin.emailVerification, help: admin.emailVerificationText },
  }
  const options = (['invitation', 'password_reset', 'email_verification'] as const).map((value) => ({
    value,
    text: kinds[value].text,
  }))
  return (
    <DialogForm
      submit={admin.make}
      request={make}
      hidesError={isEmailWrong}
      errorTitle={admin.notMade}
      onSubmit={submit}
      onCancel={onClose}
    >
      <SelectField<LinkKind>
        label={admin.kind}
        help={kinds[kind].help}
        value={kind}
        options={options}
        onChoose={(next) => {
          setKind(next)
          make.reset()
        }}
      />
      <Field
        label={shell.email}
        help={kind === 'invitation' ? admin.inviteEmailHelp : admin.emailHelp}
        error={isMissing ? shell.emailNeeded : isEmailWrong ? emailError : null}
        type="email"
        required
        autoFocus
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </DialogForm>
  )
}
