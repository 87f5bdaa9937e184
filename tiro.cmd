@echo off
node "%~dp0scripts\tiro.mjs" %*
exit /b %ERRORLEVEL%
