/** Why a test mail was not sent: no mail server answered, it refused the login, or it refused the mail. */
export const mailProblems = ['no_mail_server', 'login_refused', 'mail_refused'] as const
export type MailProblem = (typeof mailProblems)[number]
