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

/** Builds every project of a folder. */
const allOf = (folder: string): string => `<Project>
  <ItemGroup><Sample Include="${folder}/*/*.csproj" /></ItemGroup>
  <Target Name="Restore"><MSBuild Projects="@(Sample)" Targets="Restore" BuildInParallel="true" /></Target>
  <Target Name="Build"><MSBuild Projects="@(Sample)" Targets="Build" BuildInParallel="true" /></Target>
</Project>
`

/** No process stays for later builds. */
const alone = ['--verbosity', 'quiet', '-nodeReuse:false', '-p:UseSharedCompilation=false'] as const
const build = (projects: string): Step => ['dotnet', 'build', projects, '--nologo', ...alone]

const isImported = (code: string): boolean => code.includes('using OpenAI')
const folderOf = (code: string, number: number): string =>
  join(isImported(code) ? 'library' : 'plain', `sample${number}`)

export const csharp: SampleLanguage = {
  tab: 'csharp',
  tools: [['dotnet', '--version']],
  environment: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1', DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
  shared: {
    'plain.proj': allOf('plain'),
    'library.proj': allOf('library'),
    // Most samples import nothing, so that they need no NuGet.
    [join('plain', 'nuget.config')]: '<configuration><packageSources><clear /></packageSources></configuration>',
  },
  fetch: [],
  files: (code, number) => ({
    [join(folderOf(code, number), 'Program.cs')]: code,
    [join(folderOf(code, number), `sample${number}.csproj`)]: project(
      isImported(code) ? '<ItemGroup><PackageReference Include="OpenAI" Version="*" /></ItemGroup>' : '',
    ),
  }),
  build: [build('plain.proj')],
  run: (code, number) => ['dotnet', join(folderOf(code, number), 'bin', 'Debug', 'net8.0', `sample${number}.dll`)],
  library: {
    name: 'OpenAI from NuGet',
    isImported,
    fetch: [['dotnet', 'restore', 'library.proj', ...alone]],
    build: [build('library.proj')],
  },
}
