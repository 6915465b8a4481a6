import { join } from 'node:path'
import type { Step } from '../suites.ts'
import type { SampleLanguage } from './sample-language.ts'

/** As `dotnet new console` writes it. */
const project = (references: string): string => `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <RollForward>Major</RollForward>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <UseAppHost>false</UseAppHost>
  </PropertyGroup>
  ${references}
</Project>
`

const main = `var sample = System.Reflection.Assembly.GetExecutingAssembly().GetType("Sample" + args[0]);
await (Task)sample!.GetMethod("Run")!.Invoke(null, null)!;
`

/** A project is compiled in seconds but thirty take minutes, so each sample is a method, below its own `using` lines. */
const asMethod = (code: string, number: number): string => {
  const imports = /^(?:using [\w.]+;\n|\n)*/.exec(code)?.[0] ?? ''
  return `${imports}public static class Sample${number}\n{\npublic static async Task Run()\n{\n${code.slice(imports.length)}\n}\n}\n`
}

/** No process stays for later builds. */
const alone = ['--verbosity', 'quiet', '-nodeReuse:false', '-p:UseSharedCompilation=false'] as const
const build = (folder: string): Step => ['dotnet', 'build', folder, '--nologo', ...alone]

const isImported = (code: string): boolean => code.includes('using OpenAI')
const folderOf = (code: string): string => (isImported(code) ? 'library' : 'plain')

export const csharp: SampleLanguage = {
  tab: 'csharp',
  tools: [['dotnet', '--version']],
  environment: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1', DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
  shared: {
    [join('plain', 'Program.cs')]: main,
    [join('plain', 'samples.csproj')]: project(''),
    // Most samples import nothing, so that they need no NuGet.
    [join('plain', 'nuget.config')]: '<configuration><packageSources><clear /></packageSources></configuration>',
    [join('library', 'Program.cs')]: main,
    [join('library', 'samples.csproj')]: project(
      '<ItemGroup><PackageReference Include="OpenAI" Version="*" /></ItemGroup>',
    ),
  },
  fetch: [],
  files: (code, number) => ({ [join(folderOf(code), `Sample${number}.cs`)]: asMethod(code, number) }),
  build: [build('plain')],
  run: (code, number) => ['dotnet', join(folderOf(code), 'bin', 'Debug', 'net8.0', 'samples.dll'), String(number)],
  library: {
    name: 'OpenAI from NuGet',
    isImported,
    fetch: [['dotnet', 'restore', 'library', ...alone]],
    build: [build('library')],
  },
}
