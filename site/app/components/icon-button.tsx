import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'

/** For copy, close and more only: everything else has its word beside the icon. */
export const IconButton = ({ label, children, ...rest }: ButtonProps & { label: string; children: ReactNode }) => (
  <Button look="plain" className="square" aria-label={label} title={label} {...rest}>
    {children}
  </Button>
)
