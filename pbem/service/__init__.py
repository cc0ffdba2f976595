"""The post as a whole: created, served, checked and repaired.

What the operator's commands do is here, without terminals. `pbem.workflow` knows the steps for one letter; this
package decides when they run and in which process.
"""
