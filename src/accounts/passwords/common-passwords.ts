/**
 * What attackers try first. Passwords below ten characters are refused for their length, so the list only needs long ones
 * (`commonPasswords`) and words that people lengthen with digits and punctuation (`commonWords`).
 */
const lines = (text: string): Set<string> => new Set(text.split(/\s+/).filter((line) => line !== ''))

export const commonPasswords: ReadonlySet<string> = lines(`
  1234567890 12345678910 123456789a 123456789q 0123456789 9876543210 0987654321 1234512345 1234554321 123123123123
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc qazwsxedcrfv qwertyuiop qwertyuiop123 qwerty123456 qwerty12345
  qwertyqwerty asdfghjkl1 asdfghjkl; asdfghjkl123 asdfasdfasdf zxcvbnm123 zxcvbnmasdf qweasdzxc123 q1w2e3r4t5 q1w2e3r4t5y6
  abcd123456 abc123456789 a123456789 aa123456789 a1b2c3d4e5 a1b2c3d4e5f6 abcdefghij abcdef123456 abcabcabcabc
  password12 password123 password1234 password12345 passwordpassword passw0rd123 p@ssw0rd123 p@ssword123 mypassword123
  changeme123 changeit123 letmein123 letmeinplease letmeinnow iloveyou12 iloveyou123 iloveyou1234 iloveyouforever
  welcome123 welcome1234 welcome2024 welcome2025 welcome2026 admin12345 admin123456 adminadmin administrator
  root123456 rootrootroot test123456 testtest123 testtesttest user123456 guest12345 default123 secret1234 secretpassword
  football123 baseball123 basketball superman123 batman1234 spiderman123 pokemon123 starwars123 dragon1234 master1234
  monkey12345 sunshine123 princess123 princess12 princess1234 michael123 jennifer123 jordan2323 charlie123 chocolate1
  computer123 internet123 samsung123 google1234 facebook123 instagram1 linkedin123 microsoft1 minecraft1 minecraft123
  liverpool1 liverpool123 manchester barcelona1 realmadrid chelseafc1 arsenal123 juventus123 galatasaray fenerbahce
  myspace123 whatever123 trustno1trustno1 killer1234 hello12345 hello123456 hellohello helloworld helloworld1 goodmorning
  alexander1 christopher elizabeth1 jonathan12 stephanie1 veronica12 nicholas12 valentina1 sebastian1
  correcthorse correcthorsebatterystaple thisismypassword opensesame abracadabra summer2024 summer2025 summer2026
  winter2024 winter2025 winter2026 spring2025 spring2026 autumn2025 autumn2026 january2026 november2026 december2026
  sakura1234 aishiteru1 nihon12345 tokyo12345 watashi123 arigatou12 konnichiwa konnichiha ohayougozaimasu pasuwado12
  パスワードパスワード あいうえおかきくけこ いろはにほへとちりぬるを
  helixhelix helix12345 helix-v1helix-v1
`)

export const commonWords: ReadonlySet<string> = lines(`
  password passwords passwort passwd passw0rd p@ssword p@ssw0rd pass mypass mypassword motdepasse contrasena contraseña senha
  qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm letmein changeme changeit welcome welcom admin
  administrator administrador root toor test tester testing user username guest default secret iloveyou iloveu loveyou
  monkey dragon master superman batman spiderman pokemon starwars football baseball basketball soccer hockey sunshine
  princess shadow michael jennifer jordan charlie chocolate computer internet samsung google facebook instagram linkedin
  microsoft windows minecraft liverpool manchester barcelona chelsea arsenal whatever trustno trustnoi killer hello summer
  winter spring autumn abc abcd abcde abcdef abcdefg abcdefgh abcdefghi login access flower cookie cheese pepper ginger
  hunter ranger tigger buster thomas robert daniel andrew joshua matthew jessica ashley nicole amanda naruto sakura
  doraemon tokyo nihon japan helix chatgpt openai
`)
